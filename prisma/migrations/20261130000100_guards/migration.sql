-- What Prisma cannot express: the walls between tenants, the proof against double booking, and the
-- values that the columns admit.

-- A trusted extension since PostgreSQL 13: the owner of the database may create it.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- No double booking. An appointment holds its resource for its time with buffers, half-open.
ALTER TABLE "reservations"
  ADD CONSTRAINT "reservations_not_empty" CHECK ("blocked_from" < "blocked_to"),
  ADD CONSTRAINT "reservations_no_overlap"
    EXCLUDE USING gist ("tenant_id" WITH =, "resource_id" WITH =, "blocked" WITH &&);

-- One unfinished run and one open handoff a conversation.
CREATE UNIQUE INDEX "runs_one_running" ON "runs" ("tenant_id", "conversation_id") WHERE "status" = 'running';
CREATE UNIQUE INDEX "handoffs_one_open" ON "handoffs" ("tenant_id", "conversation_id") WHERE "ended_at" IS NULL;

-- Work that is looked for often.
CREATE INDEX "messages_awaiting_turn" ON "messages" ("tenant_id", "conversation_id", "seq") WHERE "awaits_turn";
CREATE INDEX "outbox_unsent" ON "outbox" ("tenant_id", "conversation_id", "seq") WHERE "state" IN ('pending', 'sending');
CREATE INDEX "webhook_events_unprocessed" ON "webhook_events" ("received_at") WHERE "processed_at" IS NULL;

ALTER TABLE "tenants"
  ADD CONSTRAINT "tenants_slug_form" CHECK ("slug" ~ '^[a-z0-9-]{1,40}$'),
  ADD CONSTRAINT "tenants_slot_alignment" CHECK ("slot_alignment" IN ('shift', 'gap'));
ALTER TABLE "staff" ADD CONSTRAINT "staff_role" CHECK ("role" IN ('owner', 'attendant'));
ALTER TABLE "customer_identities" ADD CONSTRAINT "customer_identities_kind" CHECK ("kind" IN ('phone', 'bsuid', 'parent_bsuid'));
ALTER TABLE "conversations"
  ADD CONSTRAINT "conversations_status" CHECK ("status" IN ('bot', 'queued', 'assigned', 'closed')),
  ADD CONSTRAINT "conversations_assignee" CHECK ("assignee_id" IS NULL OR "status" = 'assigned'),
  ADD CONSTRAINT "conversations_queued_at" CHECK (("queued_at" IS NOT NULL) = ("status" = 'queued')),
  ADD CONSTRAINT "conversations_unread" CHECK ("unread" >= 0);
ALTER TABLE "messages"
  ADD CONSTRAINT "messages_direction" CHECK ("direction" IN ('in', 'out', 'note')),
  ADD CONSTRAINT "messages_author" CHECK ("author" IN ('customer', 'bot', 'staff', 'system')),
  ADD CONSTRAINT "messages_status" CHECK ("status" IN ('received', 'pending', 'sent', 'delivered', 'read', 'failed', 'unknown', 'canceled'));
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_state" CHECK ("state" IN ('pending', 'sending', 'sent', 'failed', 'unknown', 'canceled'));
ALTER TABLE "runs" ADD CONSTRAINT "runs_status" CHECK ("status" IN ('running', 'completed', 'stopped', 'superseded', 'failed'));
ALTER TABLE "appointments"
  ADD CONSTRAINT "appointments_status" CHECK ("status" IN ('booked', 'confirmed', 'completed', 'no_show', 'cancelled')),
  ADD CONSTRAINT "appointments_source" CHECK ("source" IN ('customer', 'staff')),
  ADD CONSTRAINT "appointments_not_empty" CHECK ("starts_at" < "ends_at");
ALTER TABLE "handoffs" ADD CONSTRAINT "handoffs_outcome" CHECK ("outcome" IN ('returned', 'resolved') AND "ended_at" IS NOT NULL OR "outcome" IS NULL AND "ended_at" IS NULL);

-- The second wall between tenants. FORCE: the role that owns the tables obeys too. `app.tenant_id` and
-- `app.scope` are set for one transaction; afterwards the settings are '' and not absent, hence nullif.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'channels', 'staff', 'staff_sessions', 'services', 'professionals', 'professional_services', 'shifts',
    'schedule_exceptions', 'customers', 'customer_identities', 'conversations', 'messages', 'outbox', 'runs',
    'run_steps', 'tool_calls', 'appointments', 'reservations', 'appointment_audit', 'handoffs',
    'idempotency_records'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY tenant_wall ON %I USING (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::uuid'
      || ' OR current_setting(''app.scope'', true) = ''system'')', name);
  END LOOP;
END
$$;

ALTER TABLE "tenants" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "tenants" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant_wall ON "tenants"
  USING (id = nullif(current_setting('app.tenant_id', true), '')::uuid OR current_setting('app.scope', true) = 'system');

-- Rows of no tenant: what arrived before its tenant is known, and failed logins.
ALTER TABLE "webhook_events" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "webhook_events" FORCE ROW LEVEL SECURITY;
CREATE POLICY system_only ON "webhook_events" USING (current_setting('app.scope', true) = 'system');
ALTER TABLE "login_failures" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "login_failures" FORCE ROW LEVEL SECURITY;
CREATE POLICY system_only ON "login_failures" USING (current_setting('app.scope', true) = 'system');
