import { Prisma } from './generated/client.ts'

type RawClient = Omit<Prisma.TransactionClient, '$queryRawUnsafe' | '$executeRawUnsafe'>

const READ_METHODS = [
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'count',
  'aggregate',
  'groupBy',
] as const
type ReadMethod = (typeof READ_METHODS)[number]
type ModelKey = Uncapitalize<Prisma.ModelName> & keyof RawClient

type ReadModels = {
  readonly [K in ModelKey]: Pick<RawClient[K], ReadMethod & keyof RawClient[K]>
}
type ReadHandle = ReadModels & Pick<RawClient, '$queryRaw'>

/** Reads one tenant inside a READ ONLY transaction. It has no write method, by type and at run time. */
export type Reader = ReadHandle & { readonly tenantId: string }

/** Reads and writes one tenant inside one transaction; accepted wherever a {@link Reader} is. */
export type Tx = RawClient & { readonly tenantId: string }

/** Reads across tenants inside a READ ONLY transaction; only from `unsafeRead`. */
export type SystemReader = ReadHandle & { readonly scope: 'system' }

/** Reads and writes across tenants; only from `unsafeTransact`. */
export type SystemTx = RawClient & { readonly scope: 'system' }

const readMethods: ReadonlySet<string | symbol> = new Set(READ_METHODS)
const modelKeys: ReadonlySet<string | symbol> = new Set(
  Object.values<string>(Prisma.ModelName).map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
)

/**
 * A view of `handle` that answers `undefined` for everything that could write. PostgreSQL refuses writes
 * in the transaction anyway (25006); this makes the mistake fail where it is made.
 */
export function withoutWrites<T extends object>(handle: T, own: 'tenantId' | 'scope'): T {
  return new Proxy(handle, {
    get(target, key) {
      if (key === '$queryRaw' || key === own) return bound(target, key)
      if (!modelKeys.has(key)) return undefined
      const model: unknown = Reflect.get(target, key)
      return typeof model === 'object' && model !== null ? modelWithoutWrites(model) : undefined
    },
    has: (_target, key) => key === '$queryRaw' || key === own || modelKeys.has(key),
    set: () => false,
  })
}

/**
 * A view of a transaction's client that also knows whose it is. A view, because the client's properties are
 * shared between transactions: one that is set on it shows in all that run at the time.
 */
export function labelled<T extends object, Label extends object>(client: T, label: Label): T & Label {
  const view: unknown = new Proxy(client, {
    get: (target, key) => (Object.hasOwn(label, key) ? Reflect.get(label, key) : Reflect.get(target, key)),
    has: (target, key) => Object.hasOwn(label, key) || Reflect.has(target, key),
  })
  if (!isLabelled(view)) throw new TypeError('a view is always an object')
  return view

  function isLabelled(value: unknown): value is T & Label {
    return typeof value === 'object' && value !== null
  }
}

function modelWithoutWrites(model: object): object {
  return new Proxy(model, {
    get: (target, key) => (readMethods.has(key) ? bound(target, key) : undefined),
    has: (_target, key) => readMethods.has(key),
    set: () => false,
  })
}

/** Methods find the client by `this`, which must not be the narrowed view. */
function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key)
  return typeof value === 'function' ? value.bind(target) : value
}
