import { useState } from 'preact/hooks'
import type { AdvanceBody } from '../../client/control-simulator.ts'
import { sandboxNow } from '../../view-model/model.ts'
import { formatDateTime } from '../../view-model/time-format.ts'
import { usePerform } from '../state/perform.ts'
import { useStore } from '../state/store.ts'
import { useText } from '../text/translate.ts'
import { Button } from './button.tsx'

interface AdvanceButtonProps {
  readonly body: AdvanceBody
  readonly text: string
  readonly look?: string
}

/** Advances the clock. An advance may take long, so the button shows the time that the clock has reached. */
export function AdvanceButton({ body, text, look = '' }: AdvanceButtonProps) {
  const t = useText()
  const perform = usePerform()
  const { model, advancing } = useStore().app
  const [isRunning, setRunning] = useState(false)
  const advance = async () => {
    setRunning(true)
    await perform({ do: 'advance', body })
    setRunning(false)
  }
  return (
    <Button look={look} disabled={advancing} aria-busy={isRunning} onClick={() => void advance()}>
      {isRunning ? t('advancing', { at: formatDateTime(sandboxNow(model)) }) : text}
    </Button>
  )
}
