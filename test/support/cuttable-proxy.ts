import { connect, createServer, type Socket } from 'node:net'
import { z } from 'zod'

/** A way to a server that can be cut, as a network is, and put back. */
export interface CuttableProxy {
  readonly url: string
  /** Ends every connection, and refuses new ones until `restore`. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

const addressSchema = z.object({ port: z.number() })

export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const state = { isCut: false }
  const server = createServer((incoming) => {
    if (state.isCut) {
      incoming.destroy()
      return
    }
    const outgoing = connect(Number(port), hostname)
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(socket)
      // An end that broke ends the other; the browser and the server each say what it means to them.
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = addressSchema.parse(server.address())
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut: () => {
      state.isCut = true
      endAll()
    },
    restore: () => {
      state.isCut = false
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        endAll()
      }),
  }
}
