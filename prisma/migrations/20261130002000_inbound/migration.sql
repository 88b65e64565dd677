-- What a channel sends besides words: files, changes to messages, early statuses, news about the account.

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "text_asked_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "proactive_changed_at" TIMESTAMPTZ(3),
ADD COLUMN     "proactive_stopped_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "counted_at" TIMESTAMPTZ(3),
ADD COLUMN     "edited_at" TIMESTAMPTZ(3),
ADD COLUMN     "errors" JSONB,
ADD COLUMN     "played_at" TIMESTAMPTZ(3),
ADD COLUMN     "pricing" JSONB,
ADD COLUMN     "quoted_id" UUID,
ADD COLUMN     "reactions" JSONB,
ADD COLUMN     "revoked_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "media" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "mime_type" TEXT,
    "declared_sha256" TEXT,
    "filename" TEXT,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "failure" TEXT,
    "content_type" TEXT,
    "size_bytes" INTEGER,
    "sha256" TEXT,
    "pages" INTEGER,
    "transcript" TEXT,
    "awaited_until" TIMESTAMPTZ(3),
    "model_refused_at" TIMESTAMPTZ(3),
    "stored_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "media_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "message_changes" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "wamid" TEXT NOT NULL,
    "target_wamid" TEXT NOT NULL,
    "message_id" UUID,
    "kind" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "content" TEXT,
    "previous" JSONB,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_changes_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "parked_statuses" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "wamid" TEXT NOT NULL,
    "our_id" UUID,
    "status" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "errors" JSONB NOT NULL,
    "pricing" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "parked_statuses_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "delivery_counts" (
    "tenant_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "category" TEXT NOT NULL,
    "pricing_type" TEXT NOT NULL,
    "billable" BOOLEAN NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "delivery_counts_pkey" PRIMARY KEY ("tenant_id","date","category","pricing_type","billable")
);

-- CreateTable
CREATE TABLE "channel_events" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "event" TEXT,
    "payload" JSONB NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_events_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "media_tenant_id_message_id_key" ON "media"("tenant_id", "message_id");

-- CreateIndex
CREATE INDEX "message_changes_tenant_id_message_id_sent_at_idx" ON "message_changes"("tenant_id", "message_id", "sent_at");

-- CreateIndex
CREATE INDEX "message_changes_tenant_id_channel_id_target_wamid_idx" ON "message_changes"("tenant_id", "channel_id", "target_wamid");

-- CreateIndex
CREATE UNIQUE INDEX "message_changes_tenant_id_channel_id_wamid_key" ON "message_changes"("tenant_id", "channel_id", "wamid");

-- CreateIndex
CREATE INDEX "parked_statuses_tenant_id_our_id_idx" ON "parked_statuses"("tenant_id", "our_id");

-- CreateIndex
CREATE INDEX "parked_statuses_created_at_idx" ON "parked_statuses"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "parked_statuses_tenant_id_channel_id_wamid_status_key" ON "parked_statuses"("tenant_id", "channel_id", "wamid", "status");

-- CreateIndex
CREATE INDEX "channel_events_tenant_id_channel_id_at_idx" ON "channel_events"("tenant_id", "channel_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "channel_events_tenant_id_channel_id_fingerprint_key" ON "channel_events"("tenant_id", "channel_id", "fingerprint");

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_tenant_id_quoted_id_fkey" FOREIGN KEY ("tenant_id", "quoted_id") REFERENCES "messages"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_tenant_id_message_id_fkey" FOREIGN KEY ("tenant_id", "message_id") REFERENCES "messages"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_tenant_id_channel_id_fkey" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channels"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "message_changes" ADD CONSTRAINT "message_changes_tenant_id_message_id_fkey" FOREIGN KEY ("tenant_id", "message_id") REFERENCES "messages"("tenant_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "message_changes" ADD CONSTRAINT "message_changes_tenant_id_channel_id_fkey" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channels"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "parked_statuses" ADD CONSTRAINT "parked_statuses_tenant_id_channel_id_fkey" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channels"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "delivery_counts" ADD CONSTRAINT "delivery_counts_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "channel_events" ADD CONSTRAINT "channel_events_tenant_id_channel_id_fkey" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channels"("tenant_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "media"
  ADD CONSTRAINT "media_kind" CHECK ("kind" IN ('image', 'document', 'audio', 'video', 'sticker')),
  ADD CONSTRAINT "media_state" CHECK ("state" IN ('pending', 'stored', 'refused', 'failed', 'expired')),
  ADD CONSTRAINT "media_stored" CHECK ("state" <> 'stored' OR "content_type" IS NOT NULL AND "size_bytes" IS NOT NULL);
ALTER TABLE "message_changes"
  ADD CONSTRAINT "message_changes_kind" CHECK ("kind" IN ('reaction', 'edit', 'revoke')),
  ADD CONSTRAINT "message_changes_author" CHECK ("author" IN ('customer', 'staff'));
ALTER TABLE "delivery_counts" ADD CONSTRAINT "delivery_counts_count" CHECK ("count" > 0);

-- The files that a turn waits for.
CREATE INDEX "media_awaited" ON "media" ("tenant_id", "message_id") WHERE "awaited_until" IS NOT NULL;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['media', 'message_changes', 'parked_statuses', 'delivery_counts', 'channel_events'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY tenant_wall ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid'
      || ' OR current_setting(''app.scope'', true) = ''system'')', name);
  END LOOP;
END
$$;
