/** Why a conversation is given to a person. Public: metrics and the staff API name them. */
export const HANDOFF_REASONS = [
  'customer_request',
  'refusal',
  'truncated_tool_use',
  'unknown_stop_reason',
  'step_limit',
  'token_limit',
  'cost_limit',
  'time_limit',
  'context_window',
  'empty_answer',
  'pause_limit',
  'model_unavailable',
  'model_error',
  'tool_failure',
  'unsupported_message',
  'staff_takeover',
  'phone_takeover',
] as const
export type HandoffReason = (typeof HANDOFF_REASONS)[number]
