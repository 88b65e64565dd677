-- What the thread shows of a message besides its words changes later: a file arrives and is written down, a
-- reaction comes, a sender edits or takes back. Open pages hear of each.
DROP TRIGGER "live_message_updated" ON "messages";
CREATE CONSTRAINT TRIGGER "live_message_updated" AFTER UPDATE ON "messages"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.status, OLD.text, OLD.payload, OLD.type, OLD.error_code, OLD.error_detail, OLD.sent_at, OLD.delivered_at, OLD.read_at, OLD.reactions, OLD.edited_at, OLD.revoked_at)
    IS DISTINCT FROM (NEW.status, NEW.text, NEW.payload, NEW.type, NEW.error_code, NEW.error_detail, NEW.sent_at, NEW.delivered_at, NEW.read_at, NEW.reactions, NEW.edited_at, NEW.revoked_at))
  EXECUTE FUNCTION tell_message();

CREATE FUNCTION "tell_message_of"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_live_event(NEW.tenant_id, 'message.updated', NEW.message_id);
  RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER "live_media" AFTER UPDATE ON "media"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.state, OLD.failure, OLD.content_type, OLD.transcript)
    IS DISTINCT FROM (NEW.state, NEW.failure, NEW.content_type, NEW.transcript))
  EXECUTE FUNCTION tell_message_of();
