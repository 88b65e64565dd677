-- Nothing looks for unprocessed bodies by their time, and the index was a third of what storing one costs.
DROP INDEX "webhook_events_unprocessed";
