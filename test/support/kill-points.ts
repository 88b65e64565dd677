/**
 * Where a turn can be cut off: every await between a customer's message and the record of its answer. The turn
 * reads, then writes, then answers; what was read is stored only with the call that was made of it.
 */
export const KILL_POINTS = [
  'inside_begin',
  'before_request',
  'before_save_read',
  'after_save_read',
  'before_second_request',
  'before_save_call',
  'after_save_call',
  'inside_booking',
  'after_booking',
  'after_tool_result',
  'before_third_request',
  'before_save_answer',
  'after_save_answer',
  'before_conclude',
  'inside_conclude',
  'after_conclude',
  'inside_take_row',
  'before_send',
  'after_send',
  'after_record_send',
] as const

export type KillPoint = (typeof KILL_POINTS)[number]
