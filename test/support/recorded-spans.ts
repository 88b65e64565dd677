import { type Attributes, INVALID_SPAN_CONTEXT, type Tracer, trace } from '@opentelemetry/api'

export interface RecordedSpan {
  readonly name: string
  readonly attributes: Attributes
  /** Statuses, events and exceptions, as they were told. */
  readonly told: unknown[]
  ended: boolean
}

/** Registers a tracer that keeps all that spans are told; `trace.disable()` ends it. */
export function recordSpans(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = []
  trace.setGlobalTracerProvider({ getTracer: () => recordingTracer(spans) })
  return spans
}

function recordingTracer(spans: RecordedSpan[]): Tracer {
  const startSpan: Tracer['startSpan'] = (name, options) => {
    const record: RecordedSpan = { name, attributes: { ...options?.attributes }, told: [], ended: false }
    spans.push(record)
    const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    span.setAttribute = (key, value) => {
      if (value !== undefined) record.attributes[key] = value
      return span
    }
    span.setAttributes = (attributes) => {
      Object.assign(record.attributes, attributes)
      return span
    }
    span.setStatus = (status) => {
      record.told.push(status)
      return span
    }
    span.addEvent = (...event) => {
      record.told.push(event)
      return span
    }
    span.recordException = (exception) => {
      record.told.push(exception instanceof Error ? `${exception.message} ${exception.stack}` : exception)
    }
    span.end = () => {
      record.ended = true
    }
    return span
  }
  return {
    startSpan,
    startActiveSpan: (name: string, ...rest: unknown[]) => {
      const [options] = rest
      const work = rest.at(-1)
      if (typeof work !== 'function') throw new Error('no work')
      return work(startSpan(name, typeof options === 'object' && options !== null ? options : {}))
    },
  }
}
