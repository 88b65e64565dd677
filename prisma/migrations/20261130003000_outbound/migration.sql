-- Nothing looks for unprocessed bodies by their time, and the index was a third of what storing one costs.
DROP INDEX "webhook_events_unprocessed";

-- The state of a number's sends.
ALTER TABLE "channels" ADD COLUMN     "paused_at" TIMESTAMPTZ(3),
ADD COLUMN     "paused_code" INTEGER,
ADD COLUMN     "paused_detail" TEXT,
ADD COLUMN     "proactive_stopped_at" TIMESTAMPTZ(3),
ADD COLUMN     "resumed_at" TIMESTAMPTZ(3);

ALTER TABLE "conversations" ADD COLUMN     "send_free_at" TIMESTAMPTZ(3);

ALTER TABLE "outbox" ADD COLUMN     "reserved_at" TIMESTAMPTZ(3),
ADD COLUMN     "use_fallback" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "send_slots" (
    "tenant_id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "free_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "send_slots_pkey" PRIMARY KEY ("tenant_id","channel_id")
);

-- CreateTable
CREATE TABLE "disabled_templates" (
    "tenant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "code" INTEGER NOT NULL,
    "detail" TEXT NOT NULL,
    "disabled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "disabled_templates_pkey" PRIMARY KEY ("tenant_id","name","language")
);

-- CreateTable
CREATE TABLE "send_blocks" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "strikes" INTEGER NOT NULL,
    "blocked_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "send_blocks_pkey" PRIMARY KEY ("scope","key")
);

-- AddForeignKey
ALTER TABLE "send_slots" ADD CONSTRAINT "send_slots_tenant_id_channel_id_fkey" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channels"("tenant_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "disabled_templates" ADD CONSTRAINT "disabled_templates_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "send_blocks" ADD CONSTRAINT "send_blocks_scope" CHECK ("scope" IN ('app', 'waba', 'number'));
-- Written for every message: room on the page keeps the new version beside the old one.
ALTER TABLE "send_slots" SET (fillfactor = 20);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['send_slots', 'disabled_templates'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY tenant_wall ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid'
      || ' OR current_setting(''app.scope'', true) = ''system'')', name);
  END LOOP;
END
$$;

-- Limits of the app and of an account are met by one tenant and felt by all: everybody reads them.
ALTER TABLE "send_blocks" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "send_blocks" FORCE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON "send_blocks" FOR SELECT USING (true);
CREATE POLICY system_writes ON "send_blocks" USING (current_setting('app.scope', true) = 'system');
