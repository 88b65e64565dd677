/**
 * Spans by OpenTelemetry's conventions for generative AI (https://opentelemetry.io/docs/specs/semconv/gen-ai/):
 * `invoke_agent`, `chat {model}`, `execute_tool {tool}`. Names, ids and counters; content never. Without an SDK
 * registered by the application all of this does nothing.
 */
import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { ModelResponse, Usage } from './types.ts'
import { allInputTokens } from './usage.ts'

/** Finds the application's provider also when that is registered later. */
const tracer = trace.getTracer('agent')
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/** Runs `work` inside a span; a rejection marks it as failed by its class, without its text. */
export async function withSpan<T>(
  name: string,
  kind: 'client' | 'internal',
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!isTraced()) return await work(NO_SPAN)
  const spanKind = kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL
  return await tracer.startActiveSpan(name, { kind: spanKind, attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      markFailed(span, error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  })
}

/** An SDK is registered: the API's global provider is a proxy that has nobody behind it until then. */
function isTraced(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('agent') !== undefined
}

/** `type` is one of our own words or an error's class. */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

export function usageAttributes(usage: Usage): Attributes {
  return {
    'gen_ai.usage.input_tokens': allInputTokens(usage),
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWriteTokens,
  }
}

export function responseAttributes(response: ModelResponse): Attributes {
  return {
    'gen_ai.response.id': response.id,
    'gen_ai.response.model': response.model,
    'gen_ai.response.finish_reasons': [response.stop_reason ?? 'none'],
  }
}
