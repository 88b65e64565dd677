import { startEmbeddedPostgres } from '../../src/db/embedded-postgres.ts'
import { startEphemeralPostgres } from '../../src/db/ephemeral-postgres.ts'

/**
 * A process of its own that uses an embedded PostgreSQL: `embedded-child.ts DATA_DIR`, or no argument for
 * an ephemeral one. Prints one line of JSON, and ends in good order when its input ends.
 */
async function main(dataDir: string | undefined): Promise<void> {
  const log = (line: string) => console.error(line)
  const server =
    dataDir === undefined
      ? await startEphemeralPostgres({ log })
      : await startEmbeddedPostgres({ dataDir, log })
  console.log(JSON.stringify({ url: server.url, adopted: server.adopted }))
  process.stdin.resume()
  process.stdin.once('end', () => {
    server.stop().catch((error: unknown) => {
      console.error(error)
      process.exitCode = 1
    })
  })
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
