import { crc32, deflateSync } from 'node:zlib'

/** A PNG of this size, shaded from one colour to another so that it is seen to be a picture. */
export function samplePng(width: number, height: number): Buffer {
  const rows: Buffer[] = []
  for (let y = 0; y < height; y += 1) {
    const row = Buffer.alloc(1 + width * 3)
    for (let x = 0; x < width; x += 1) {
      row[1 + x * 3] = 120 + Math.round((100 * x) / width)
      row[2 + x * 3] = 80 + Math.round((90 * y) / height)
      row[3 + x * 3] = 110
    }
    rows.push(row)
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  // Eight bits a channel, red, green and blue.
  size.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The smallest thing that passes for a PDF. */
export function samplePdf(): Buffer {
  return Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Pages /Count 1 >>\nendobj\n%%EOF\n', 'latin1')
}

/** One second of silence, as a browser plays it. */
export function sampleAudio(): Buffer {
  // An MPEG-1 layer III frame of 32 kbit/s at 32 kHz, mono, all of it silence: 144 bytes, 36 ms.
  const frame = Buffer.alloc(144)
  frame.set([0xff, 0xfb, 0x18, 0xc4], 0)
  return Buffer.concat(Array.from({ length: 28 }, () => frame))
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
