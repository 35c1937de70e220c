import type { Fact, Tone } from '../../view-model/detail/blocks.ts'
import { statusTone } from '../../view-model/detail/tones.ts'
import { useText } from '../text/translate.ts'

/** Shows a status with a dot in its colour. Its title is the value of the API. */
export function Status({ status }: { readonly status: string }) {
  const text = useText().label(status)
  return (
    <span class={`badge tone-${statusTone(status)}`} title={text === status ? undefined : status}>
      {text}
    </span>
  )
}

export function FactText({ fact: { text, tone, isStatus } }: { readonly fact: Fact }) {
  return isStatus ? <Status status={text} /> : <span class={`tone-${tone}`}>{text}</span>
}

export const toneClass = (tone: Tone): string => `tone-${tone}`
