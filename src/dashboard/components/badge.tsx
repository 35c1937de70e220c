import type { Fact, Tone } from '../../view-model/detail/blocks.ts'
import { statusTone } from '../../view-model/detail/tones.ts'

/** Shows a status with a dot in its colour. The text is the value of the API. */
export function Status({ status }: { readonly status: string }) {
  return <span class={`badge tone-${statusTone(status)}`}>{status}</span>
}

export function FactText({ fact: { text, tone, isStatus } }: { readonly fact: Fact }) {
  return isStatus ? <Status status={text} /> : <span class={`tone-${tone}`}>{text}</span>
}

export const toneClass = (tone: Tone): string => `tone-${tone}`
