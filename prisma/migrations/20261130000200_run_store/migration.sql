-- The run store's writes come after every answer of the model and around every tool call. Each is one call of
-- a function here: one round trip that is a transaction of its own, with the tenant set and the lease proved
-- inside. Row level security binds the functions as it binds their caller (SECURITY INVOKER).

-- Locks the run's row. False when it ended or another worker took it up: then nothing may be written.
CREATE FUNCTION hold_run(tenant uuid, run uuid, held integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('app.tenant_id', tenant::text, true);
  PERFORM 1 FROM runs
    WHERE tenant_id = tenant AND id = run AND attempt = held AND status = 'running' FOR NO KEY UPDATE;
  RETURN FOUND;
END
$$;

-- An answer is counted when it is stored first; the same position again changes nothing.
CREATE FUNCTION save_model_response(
  tenant uuid, run uuid, held integer, answer_position integer, answer json, cost bigint, steps_so_far integer,
  input integer, cache_read integer, cache_write integer, output integer
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT hold_run(tenant, run, held) THEN
    RETURN false;
  END IF;
  INSERT INTO run_steps (tenant_id, run_id, position, record, cost_micro_usd)
    VALUES (tenant, run, answer_position, answer, cost) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    UPDATE runs SET steps = steps_so_far, cost_micro_usd = cost_micro_usd + cost,
        input_tokens = input_tokens + input, cache_read_tokens = cache_read_tokens + cache_read,
        cache_write_tokens = cache_write_tokens + cache_write, output_tokens = output_tokens + output
      WHERE tenant_id = tenant AND id = run;
  END IF;
  RETURN true;
END
$$;

CREATE FUNCTION save_tool_start(
  tenant uuid, run uuid, held integer, call_id text, call_step integer, tool text, tool_input json,
  tool_effect text, at timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT hold_run(tenant, run, held) THEN
    RETURN false;
  END IF;
  INSERT INTO tool_calls (tenant_id, run_id, tool_use_id, step_index, name, input, effect, started_at)
    VALUES (tenant, run, call_id, call_step, tool, tool_input, tool_effect, at) ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;

-- A call that was refused has a result without a start.
CREATE FUNCTION save_tool_result(
  tenant uuid, run uuid, held integer, call_id text, call_step integer, tool text, tool_result json,
  tool_outcome text, at timestamptz
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT hold_run(tenant, run, held) THEN
    RETURN false;
  END IF;
  INSERT INTO tool_calls (tenant_id, run_id, tool_use_id, step_index, name, input, result, outcome, started_at, finished_at)
    VALUES (tenant, run, call_id, call_step, tool, '{}', tool_result, tool_outcome, at, at)
    ON CONFLICT (tenant_id, run_id, tool_use_id) DO UPDATE
      SET result = excluded.result, outcome = excluded.outcome, finished_at = excluded.finished_at;
  RETURN true;
END
$$;
