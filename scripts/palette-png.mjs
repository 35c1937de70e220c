// Reduces a screenshot to a PNG with at most 256 colours. A page of flat colours looks the same in a much smaller file.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** The number of most frequent colours that are always kept: those of surfaces and shadows. */
const ALWAYS_KEPT = 96

/** The squared distance below which two other colours count as the same. */
const NEAR = 48

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** @param {Buffer} png 8 bits per channel, RGB or RGBA, not interlaced, as Chromium writes it */
export function toPalettePng(png) {
  const { width, height, pixels, channels } = decode(png)
  const { palette, nearest } = choosePalette(pixels, channels)
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels
      rows[y * (width + 1) + 1 + x] = nearest((pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2])
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function decode(png) {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const [depth, type, , , interlaced] = png.subarray(24, 29)
  const channels = { 2: 3, 6: 4 }[type]
  if (depth !== 8 || channels === undefined || interlaced !== 0)
    throw new Error('This PNG is not in the format of Chromium.')
  const parts = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  return { width, height, channels, pixels: unfilter(inflateSync(Buffer.concat(parts)), width * channels, channels) }
}

/** Restores the pixels. PNG 1.2, section 6, stores each row as differences to its neighbours. */
function unfilter(data, stride, step) {
  const height = data.length / (stride + 1)
  const out = Buffer.alloc(height * stride)
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)]
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x < step ? 0 : out[at - step]
      const up = y === 0 ? 0 : out[at - stride]
      const corner = x < step || y === 0 ? 0 : out[at - stride - step]
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]
      out[at] = data[y * (stride + 1) + 1 + x] + guess
    }
  }
  return out
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  if (pa <= pb && pa <= pc) return a
  return pb <= pc ? b : c
}

/** Chooses the most frequent colours that are not near another one. Each other colour maps to the nearest of them. */
function choosePalette(pixels, channels) {
  const counts = new Map()
  for (let at = 0; at < pixels.length; at += channels) {
    const rgb = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]
    counts.set(rgb, (counts.get(rgb) ?? 0) + 1)
  }
  const byCount = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || a - b)
  const palette = byCount.slice(0, ALWAYS_KEPT)
  for (const rgb of byCount.slice(ALWAYS_KEPT)) {
    if (palette.length === 256) break
    if (palette.every((other) => distance(rgb, other) > NEAR)) palette.push(rgb)
  }
  const cache = new Map()
  return {
    palette,
    nearest(rgb) {
      let index = cache.get(rgb)
      if (index === undefined) {
        index = palette.reduce((best, other, i) => (distance(rgb, other) < distance(rgb, palette[best]) ? i : best), 0)
        cache.set(rgb, index)
      }
      return index
    },
  }
}

function distance(a, b) {
  const [r, g, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)]
  return r * r + g * g + blue * blue
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
