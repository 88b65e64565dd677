import { z } from 'zod'

const testServer = z.object({
  /** May create databases; only for making and dropping the databases of test files. */
  superuserUrl: z.string(),
  /** The plain role that the product connects as, and its password. */
  role: z.string(),
  password: z.string(),
  /** Database with all migrations applied, cloned for each test file. */
  template: z.string(),
})

/** The PostgreSQL of this run. The global setup hands it to the test processes in an environment variable. */
export type TestServer = z.infer<typeof testServer>

const VARIABLE = 'AGENDOU_TEST_SERVER'

/** The server of this run, or null before the global setup made one. */
export function currentTestServer(): TestServer | null {
  const text = process.env[VARIABLE]
  return text === undefined ? null : testServer.parse(JSON.parse(text))
}

/** Sets the server for this process and the ones it starts from now on. */
export function setTestServer(server: TestServer | null): void {
  if (server === null) delete process.env[VARIABLE]
  else process.env[VARIABLE] = JSON.stringify(server)
}

/** Connection URL of a database on the test server, as the plain role. */
export function databaseUrl(server: TestServer, database: string): string {
  const url = new URL(server.superuserUrl)
  url.username = server.role
  url.password = server.password
  url.pathname = `/${database}`
  return url.href
}
