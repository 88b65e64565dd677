-- A step of a run is stored by one call: the newest answer of the model, the results of the step before it, and
-- the tool calls that start now. One round trip that is a transaction of its own, with the tenant set and the
-- lease proved inside (see hold_run), instead of one for each of them.

DROP FUNCTION save_model_response(uuid, uuid, integer, integer, json, bigint, integer, integer, integer, integer, integer);
DROP FUNCTION save_tool_start(uuid, uuid, integer, text, integer, text, json, text, timestamptz);
DROP FUNCTION save_tool_result(uuid, uuid, integer, text, integer, text, json, text, timestamptz);

-- As before, but the row is found by its key alone: with the other conditions in the WHERE clause PostgreSQL may
-- choose the partial index of running runs, and reads through every run that has ended since the last vacuum.
CREATE OR REPLACE FUNCTION hold_run(tenant uuid, run uuid, held integer) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  holds boolean;
BEGIN
  PERFORM set_config('app.tenant_id', tenant::text, true);
  SELECT attempt = held AND status = 'running' INTO holds
    FROM runs WHERE tenant_id = tenant AND id = run FOR NO KEY UPDATE;
  RETURN coalesce(holds, false);
END
$$;

-- An answer is counted when it is stored first; the same position again changes nothing.
CREATE FUNCTION save_model_answer(tenant uuid, run uuid, answer json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cost bigint := (answer->>'costMicroUsd')::bigint;
  tokens json := answer->'usage';
BEGIN
  INSERT INTO run_steps (tenant_id, run_id, position, record, cost_micro_usd)
    VALUES (tenant, run, (answer->>'attemptIndex')::integer, answer, cost) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    UPDATE runs SET steps = (answer->>'stepIndex')::integer + 1, cost_micro_usd = cost_micro_usd + cost,
        input_tokens = input_tokens + (tokens->>'inputTokens')::integer,
        cache_read_tokens = cache_read_tokens + (tokens->>'cacheReadTokens')::integer,
        cache_write_tokens = cache_write_tokens + (tokens->>'cacheWriteTokens')::integer,
        output_tokens = output_tokens + (tokens->>'outputTokens')::integer
      WHERE tenant_id = tenant AND id = run;
  END IF;
END
$$;

-- Each argument is null, or a JSON array: of stored attempts; of `{ toolUseId, stepIndex, name, at, result,
-- outcome }` (a call that was refused has a result without a start); of `{ toolUseId, stepIndex, name, at, input,
-- effect }`. `at` is RFC 3339.
CREATE FUNCTION save_run_writes(
  tenant uuid, run uuid, held integer, answers json, results json, starts json
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT hold_run(tenant, run, held) THEN
    RETURN false;
  END IF;
  IF answers IS NOT NULL THEN
    PERFORM save_model_answer(tenant, run, value) FROM json_array_elements(answers);
  END IF;
  IF results IS NOT NULL THEN
    INSERT INTO tool_calls (tenant_id, run_id, tool_use_id, step_index, name, input, result, outcome, started_at, finished_at)
      SELECT tenant, run, "toolUseId", "stepIndex", name, '{}', result, outcome, at, at
        FROM json_to_recordset(results)
          AS r("toolUseId" text, "stepIndex" integer, name text, result json, outcome text, at timestamptz)
      ON CONFLICT (tenant_id, run_id, tool_use_id) DO UPDATE
        SET result = excluded.result, outcome = excluded.outcome, finished_at = excluded.finished_at;
  END IF;
  IF starts IS NOT NULL THEN
    INSERT INTO tool_calls (tenant_id, run_id, tool_use_id, step_index, name, input, effect, started_at)
      SELECT tenant, run, "toolUseId", "stepIndex", name, input, effect, at
        FROM json_to_recordset(starts)
          AS s("toolUseId" text, "stepIndex" integer, name text, input json, effect text, at timestamptz)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN true;
END
$$;
