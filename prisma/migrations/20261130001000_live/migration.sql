-- What the dashboard lives on: events, who is looking, canned replies, people who left.

-- AlterTable
ALTER TABLE "staff" ADD COLUMN     "deactivated_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "live_counters" (
    "tenant_id" UUID NOT NULL,
    "last_id" BIGINT NOT NULL,

    CONSTRAINT "live_counters_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateTable
CREATE TABLE "live_events" (
    "tenant_id" UUID NOT NULL,
    "id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "tx" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "live_events_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateTable
CREATE TABLE "conversation_viewers" (
    "tenant_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "staff_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "conversation_viewers_pkey" PRIMARY KEY ("tenant_id","conversation_id","staff_id")
);

-- CreateTable
CREATE TABLE "canned_replies" (
    "tenant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "shortcut" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "canned_replies_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "live_events_tenant_id_tx_subject_id_idx" ON "live_events"("tenant_id", "tx", "subject_id");

-- CreateIndex
CREATE INDEX "live_events_created_at_idx" ON "live_events"("created_at");

-- CreateIndex
CREATE INDEX "conversation_viewers_tenant_id_expires_at_idx" ON "conversation_viewers"("tenant_id", "expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "canned_replies_tenant_id_shortcut_key" ON "canned_replies"("tenant_id", "shortcut");

-- AddForeignKey
ALTER TABLE "live_counters" ADD CONSTRAINT "live_counters_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "live_events" ADD CONSTRAINT "live_events_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "live_counters"("tenant_id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "conversation_viewers" ADD CONSTRAINT "conversation_viewers_tenant_id_conversation_id_fkey" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversations"("tenant_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "conversation_viewers" ADD CONSTRAINT "conversation_viewers_tenant_id_staff_id_fkey" FOREIGN KEY ("tenant_id", "staff_id") REFERENCES "staff"("tenant_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "canned_replies" ADD CONSTRAINT "canned_replies_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenants"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "live_events"
  ADD CONSTRAINT "live_events_kind" CHECK ("kind" IN ('conversation.updated', 'message.created', 'message.updated', 'appointment.updated'));
ALTER TABLE "canned_replies" ADD CONSTRAINT "canned_replies_shortcut_form" CHECK ("shortcut" ~ '^[a-z0-9_-]{1,40}$');

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['live_counters', 'live_events', 'conversation_viewers', 'canned_replies'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY tenant_wall ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid'
      || ' OR current_setting(''app.scope'', true) = ''system'')', name);
  END LOOP;
END
$$;

-- Live events are written by triggers: whoever changes a row cannot forget to tell. They run at COMMIT, so
-- the lock on the tenant's counter is the last one that a transaction takes and is held no longer than the
-- commit: ids become visible in their order, and nobody who holds it waits for anybody else. Of one
-- transaction each subject is told once, and a message that is new is not updated besides.
CREATE FUNCTION "record_live_event"(of_tenant uuid, of_kind text, of_subject uuid) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  next_id bigint;
BEGIN
  IF EXISTS (
    SELECT FROM live_events e
    WHERE e.tenant_id = of_tenant AND e.tx = txid_current() AND e.subject_id = of_subject
      AND (e.kind = of_kind OR (e.kind = 'message.created' AND of_kind = 'message.updated'))
  ) THEN
    RETURN;
  END IF;
  INSERT INTO live_counters AS c (tenant_id, last_id) VALUES (of_tenant, 1)
    ON CONFLICT (tenant_id) DO UPDATE SET last_id = c.last_id + 1
    RETURNING c.last_id INTO next_id;
  INSERT INTO live_events (tenant_id, id, kind, subject_id, tx)
    VALUES (of_tenant, next_id, of_kind, of_subject, txid_current());
  PERFORM pg_notify('live_events', of_tenant::text || ':' || next_id::text);
END
$$;

CREATE FUNCTION "tell_message"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_live_event(NEW.tenant_id, CASE TG_OP WHEN 'INSERT' THEN 'message.created' ELSE 'message.updated' END, NEW.id);
  RETURN NULL;
END
$$;

CREATE FUNCTION "tell_conversation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_live_event(NEW.tenant_id, 'conversation.updated', NEW.id);
  RETURN NULL;
END
$$;

-- Of rows that belong to a conversation and are shown with it.
CREATE FUNCTION "tell_conversation_of"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM record_live_event(OLD.tenant_id, 'conversation.updated', OLD.conversation_id);
  ELSE
    PERFORM record_live_event(NEW.tenant_id, 'conversation.updated', NEW.conversation_id);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION "tell_customer"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_live_event(c.tenant_id, 'conversation.updated', c.id)
    FROM conversations c WHERE c.tenant_id = NEW.tenant_id AND c.customer_id = NEW.id;
  RETURN NULL;
END
$$;

CREATE FUNCTION "tell_appointment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_live_event(NEW.tenant_id, 'appointment.updated', NEW.id);
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER "live_message_created" AFTER INSERT ON "messages"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tell_message();
CREATE CONSTRAINT TRIGGER "live_message_updated" AFTER UPDATE ON "messages"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.status, OLD.text, OLD.payload, OLD.type, OLD.error_code, OLD.error_detail, OLD.sent_at, OLD.delivered_at, OLD.read_at)
    IS DISTINCT FROM (NEW.status, NEW.text, NEW.payload, NEW.type, NEW.error_code, NEW.error_detail, NEW.sent_at, NEW.delivered_at, NEW.read_at))
  EXECUTE FUNCTION tell_message();
CREATE CONSTRAINT TRIGGER "live_conversation_created" AFTER INSERT ON "conversations"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tell_conversation();
CREATE CONSTRAINT TRIGGER "live_conversation_updated" AFTER UPDATE ON "conversations"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.status, OLD.assignee_id, OLD.unread, OLD.last_message_at, OLD.last_inbound_at, OLD.queued_at, OLD.customer_id)
    IS DISTINCT FROM (NEW.status, NEW.assignee_id, NEW.unread, NEW.last_message_at, NEW.last_inbound_at, NEW.queued_at, NEW.customer_id))
  EXECUTE FUNCTION tell_conversation();
CREATE CONSTRAINT TRIGGER "live_handoff" AFTER INSERT OR UPDATE ON "handoffs"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tell_conversation_of();
CREATE CONSTRAINT TRIGGER "live_viewer" AFTER INSERT OR DELETE ON "conversation_viewers"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tell_conversation_of();
CREATE CONSTRAINT TRIGGER "live_customer" AFTER UPDATE ON "customers"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.name, OLD.phone) IS DISTINCT FROM (NEW.name, NEW.phone)) EXECUTE FUNCTION tell_customer();
CREATE CONSTRAINT TRIGGER "live_appointment_created" AFTER INSERT ON "appointments"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION tell_appointment();
CREATE CONSTRAINT TRIGGER "live_appointment_updated" AFTER UPDATE ON "appointments"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.status, OLD.professional_id, OLD.service_id, OLD.customer_id, OLD.starts_at, OLD.ends_at, OLD.for_name, OLD.price_cents)
    IS DISTINCT FROM (NEW.status, NEW.professional_id, NEW.service_id, NEW.customer_id, NEW.starts_at, NEW.ends_at, NEW.for_name, NEW.price_cents))
  EXECUTE FUNCTION tell_appointment();
