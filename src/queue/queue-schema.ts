/** The schema graphile-worker keeps its tables in, whatever the environment says. */
export const QUEUE_SCHEMA = 'graphile_worker'

/**
 * Advisory lock keys, as SQL. A worker's key is 64 bits over its id (another seed would be another lock);
 * the others are constants of this product.
 */
export const WORKER_LOCK_SEED = 7_402_113
/** Held shared by whoever adds a job to a named queue, exclusively by whoever deletes idle queue rows. */
export const QUEUE_ROWS_LOCK = 7_402_114
/** Held while graphile-worker's schema is installed. */
export const MIGRATE_LOCK = 7_402_115

/** Set on a job that was added with a key: when the key is gone, a newer job has taken over its work. */
export const KEYED_FLAG = 'keyed'
/** Set on a job whose worker died during its last attempt and that was given one more. */
export const EXTRA_ATTEMPT_FLAG = 'extra_attempt'
