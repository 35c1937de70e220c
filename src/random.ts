import { hash, randomFillSync } from 'node:crypto'
import type { Randomness } from './engine/ports.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Bytes of this value or above are skipped, because they would make the first letters of the alphabet more likely. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length)
const POOL_BYTES = 4096

/** Returns the sequence of this seed and purpose, or system randomness if there is no seed. */
export function randomnessOf(seed: string | undefined, purpose = ''): Randomness {
  return seed === undefined ? systemRandomness() : seededRandomness(`${seed}${purpose}`)
}

/** Returns unpredictable values from the operating system. */
export function systemRandomness(): Randomness {
  const next = byteReader(() => randomFillSync(Buffer.allocUnsafe(POOL_BYTES)))
  return { uuid: () => uuid(next), token: (length) => token(next, length), draw: () => draw(next) }
}

/**
 * Returns the same sequence for the same seed on every run and machine, from SHA-256 over the seed and a counter. The
 * number 7 and the string `7` are the same seed. A second run over stored data needs a different seed, because
 * otherwise its ids repeat.
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

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const HIGH = Uint8Array.from(HEX, (pair) => pair.charCodeAt(0))
const LOW = Uint8Array.from(HEX, (pair) => pair.charCodeAt(1))
const DASH = 45

/** Writes bytes, because a string built by concatenation is flattened later, at its first lookup. */
function uuid(next: NextByte): string {
  const text = UUID_TEXT
  let at = 0
  for (let i = 0; i < 16; i++) {
    let byte = next()
    if (i === 6) byte = (byte & 0x0f) | 0x40
    else if (i === 8) byte = (byte & 0x3f) | 0x80
    if (i === 4 || i === 6 || i === 8 || i === 10) text[at++] = DASH
    text[at++] = HIGH[byte] as number
    text[at++] = LOW[byte] as number
  }
  return text.toString('latin1', 0, 36)
}

const UUID_TEXT = Buffer.allocUnsafeSlow(36)

function token(next: NextByte, length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = next()
    if (byte < FAIR_BYTES) text += ALPHABET[byte % ALPHABET.length]
  }
  return text
}

function draw(next: NextByte): number {
  let number = 0
  for (let i = 0; i < 6; i++) number = number * 256 + next()
  return number / 2 ** 48
}

/** Makes UUIDs end with the shard's number as two hex digits, so that a proxy can route hosted pages. */
export function withShardSuffix(random: Randomness, shard: number): Randomness {
  const tail = shard.toString(16).padStart(2, '0')
  return { ...random, uuid: () => random.uuid().slice(0, -2) + tail, shard }
}
