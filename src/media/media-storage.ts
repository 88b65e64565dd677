import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../shared/app-error.ts'
import { isId } from '../shared/ids.ts'

/** Which file: both are database ids, nothing of it comes from outside. */
export interface MediaKey {
  readonly tenantId: string
  readonly mediaId: string
}

export interface WrittenMedia {
  readonly sizeBytes: number
  /** Hex. */
  readonly sha256: string
  /** The first bytes, up to {@link HEAD_BYTES}, for telling what it is. */
  readonly head: Buffer
}

/** Where files are kept. A file is written once and never changed. */
export interface MediaStorage {
  /**
   * Writes a file whole or not at all; the same key again replaces it.
   * @throws AppError `media_too_large` past `maxBytes`, and whatever `chunks` throws.
   */
  write(key: MediaKey, chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<WrittenMedia>
  /** The whole file, or null when there is none. */
  read(key: MediaKey): Promise<Buffer | null>
  /** Bytes as they are read from disk, `from` and `to` included; null when there is no such file. */
  stream(key: MediaKey, range?: { from: number; to: number }): Promise<NodeJS.ReadableStream | null>
  remove(key: MediaKey): Promise<void>
}

export const HEAD_BYTES = 4_096

/**
 * Files in a local folder, `<folder>/<tenant id>/<media id>`. Processes on several machines need one that they
 * share.
 */
export function createLocalMediaStorage(folder: string): MediaStorage {
  return {
    async write(key, chunks, maxBytes) {
      const path = pathOf(folder, key)
      await mkdir(join(folder, key.tenantId), { recursive: true, mode: 0o700 })
      // Written beside it and renamed: nobody ever reads half a file.
      const partial = `${path}.${randomBytes(6).toString('hex')}.part`
      try {
        const written = await writeAll(partial, chunks, maxBytes)
        await rename(partial, path)
        return written
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    async read(key) {
      return readFile(pathOf(folder, key)).catch(nullWhenMissing)
    },
    async stream(key, range) {
      const file = await open(pathOf(folder, key), 'r').catch(nullWhenMissing)
      if (file === null) return null
      return file.createReadStream(range === undefined ? {} : { start: range.from, end: range.to })
    },
    async remove(key) {
      await rm(pathOf(folder, key), { force: true })
    },
  }
}

async function writeAll(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<WrittenMedia> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  let sizeBytes = 0
  let head = Buffer.alloc(0)
  try {
    for await (const chunk of chunks) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes)
        throw new AppError('media_too_large', `a file has more than ${maxBytes} bytes`)
      hash.update(chunk)
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { sizeBytes, sha256: hash.digest('hex'), head: Buffer.from(head) }
}

function pathOf(folder: string, { tenantId, mediaId }: MediaKey): string {
  if (!isId(tenantId) || !isId(mediaId)) throw new AppError('invalid_media_key', 'a file is named by two ids')
  return join(folder, tenantId, mediaId)
}

function nullWhenMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
