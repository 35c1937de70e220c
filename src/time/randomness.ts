import { hash, randomFillSync, randomUUID } from 'node:crypto'
import type { Randomness } from '../engine/ports.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Bytes from here on would favour the first letters. */
const FAIR = 256 - (256 % ALPHABET.length)
const POOL = 4096

/** Randomness nobody can foretell. */
export function systemRandomness(): Randomness {
  const next = byteReader(() => randomFillSync(Buffer.allocUnsafe(POOL)))
  return { uuid: () => randomUUID(), token: (length) => token(next, length), draw: () => draw(next) }
}

/**
 * The same sequence for the same seed on every run and machine: SHA-256 over seed and counter. The number 7 and the
 * text `7` are one seed. A second run over stored data needs another seed, or its ids repeat.
 */
export function seededRandomness(seed: number | string): Randomness {
  let counter = 0
  const next = byteReader(() => hash('sha256', `${seed}\n${counter++}`, 'buffer'))
  return { uuid: () => uuid(next), token: (length) => token(next, length), draw: () => draw(next) }
}

type NextByte = () => number

function byteReader(refill: () => Buffer): NextByte {
  let block = refill()
  let used = 0
  return () => {
    if (used === block.length) {
      block = refill()
      used = 0
    }
    return block[used++] as number
  }
}

function uuid(next: NextByte): string {
  const bytes = Buffer.allocUnsafe(16)
  for (let i = 0; i < 16; i++) bytes[i] = next()
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function token(next: NextByte, length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = next()
    if (byte < FAIR) text += ALPHABET[byte % ALPHABET.length]
  }
  return text
}

function draw(next: NextByte): number {
  let number = 0
  for (let i = 0; i < 6; i++) number = number * 256 + next()
  return number / 2 ** 48
}
