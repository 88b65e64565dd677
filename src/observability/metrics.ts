import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { HANDOFF_REASONS } from '../shared/handoff-reason.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Every metric of the product, in a registry of its own: two contexts in one process do not share counts. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const handoffs = new Counter({
    name: 'handoffs_total',
    help: 'Conversations that were given to a person, by reason',
    labelNames: ['reason'],
    registers,
  })
  // Every reason from the start: a rate over a series that does not exist yet is no rate.
  for (const reason of HANDOFF_REASONS) handoffs.inc({ reason }, 0)
  return { registry, handoffs, ...agentMetrics(registers), ...trafficMetrics(registers) }
}

function agentMetrics(registers: Registry[]) {
  return {
    runs: new Counter({
      name: 'agent_runs_total',
      help: 'Ended runs of the agent',
      labelNames: ['status', 'reason'],
      registers,
    }),
    steps: new Histogram({
      name: 'agent_steps',
      help: 'Model turns in one run',
      buckets: [1, 2, 3, 4, 6, 8, 12],
      registers,
    }),
    tokens: new Counter({
      name: 'agent_tokens_total',
      help: 'Tokens used, by kind: input, cache_read, cache_write, output',
      labelNames: ['kind'],
      registers,
    }),
    costUsd: new Counter({ name: 'agent_cost_usd_total', help: 'Computed cost of all runs, USD', registers }),
    toolCalls: new Counter({
      name: 'tool_calls_total',
      help: 'Tool calls by tool and outcome',
      labelNames: ['tool', 'outcome'],
      registers,
    }),
  }
}

/** What comes in, goes out and waits. */
function trafficMetrics(registers: Registry[]) {
  return {
    media: new Counter({
      name: 'media_fetched_total',
      help: 'Files of messages, by what became of them',
      labelNames: ['result'],
      registers,
    }),
    webhookUpdates: new Counter({
      name: 'webhook_updates_total',
      help: 'Updates taken from webhook bodies, by what became of them',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    outbound: new Counter({
      name: 'outbound_messages_total',
      help: 'Attempts to send, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    queueDepth: new Gauge({
      name: 'queue_depth',
      help: 'Jobs waiting or running, by task, when last looked at',
      labelNames: ['task'],
      registers,
    }),
    queueFailed: new Gauge({
      name: 'queue_failed_jobs',
      help: 'Jobs that used up their attempts and wait for an operator, by task, when last looked at',
      labelNames: ['task'],
      registers,
    }),
    httpDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
  }
}
