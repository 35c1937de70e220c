import type { StyledText, Tone } from '../../view-model/detail/blocks.ts'
import { statusTone } from '../../view-model/detail/tones.ts'
import { type DeliveryMark, MARK_TONES } from '../../view-model/rows/delivery-mark.ts'
import { useText } from '../text/translate.ts'

/** Shows a status with a dot in its colour. The tooltip of a translated status is the API's value. */
export function Status({ status }: { readonly status: string }) {
  const text = useText().label(status)
  return (
    <span class={`badge tone-${statusTone(status)}`} title={text === status ? undefined : status}>
      {text}
    </span>
  )
}

/** Marks the delivery of a replay. A first delivery has no mark. */
export function Mark({ mark }: { readonly mark: DeliveryMark | undefined }) {
  const t = useText()
  return mark === undefined ? null : <span class={toneClass(MARK_TONES[mark])}>{t.label(mark)} </span>
}

export function TextWithTone({ part: { text, tone, isStatus } }: { readonly part: StyledText }) {
  return isStatus ? <Status status={text} /> : <span class={`tone-${tone}`}>{text}</span>
}

export const toneClass = (tone: Tone): string => `tone-${tone}`
