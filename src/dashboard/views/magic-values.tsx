import magic from '../../../fixtures/magic.json' with { type: 'json' }
import { Button } from '../components/button.tsx'
import { usePerform } from '../state/perform.ts'
import { type Translate, useText } from '../text/translate.ts'

interface Planned {
  readonly plan?: string
  readonly refunds?: string
  readonly refusal?: string
  readonly three_ds?: boolean
}

/** The amounts, cards, phones and banks that choose an outcome. */
export function MagicValues() {
  const t = useText()
  const rows: readonly (readonly [kind: string, value: string, outcome: string])[] = [
    ...Object.entries(magic.amounts).map(
      ([cents, planned]) => [t('amount'), `100${cents}`, outcomeOf(planned, t)] as const,
    ),
    ...Object.entries(magic.cards).map(([card, planned]) => [t('card'), card, outcomeOf(planned, t)] as const),
    ...Object.entries(magic.phones).map(
      ([end, outcome]) => [t('payout_phone'), `+700000000${end}`, t.label(String(outcome))] as const,
    ),
    ...Object.entries(magic.banks).map(([bank, planned]) => [t('bank'), bank, outcomeOf(planned, t)] as const),
  ]
  return (
    <details>
      <summary>{t('show_magic', { count: rows.length })}</summary>
      <table class="plain-table">
        <tbody>
          {rows.map(([kind, value, outcome]) => (
            <tr key={`${kind} ${value}`}>
              <td class="quiet">{kind}</td>
              <td>
                <CopyValue value={value} />
              </td>
              <td>{outcome}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function CopyValue({ value }: { readonly value: string }) {
  const perform = usePerform()
  const t = useText()
  return (
    <Button look="small mono" title={t('copy')} onClick={() => void perform({ do: 'copy', text: value })}>
      {value}
    </Button>
  )
}

function outcomeOf({ plan, refunds, refusal, three_ds }: Planned, t: Translate): string {
  const parts = [
    t.label(plan ?? refusal ?? ''),
    three_ds && '3-D Secure',
    refunds && `${t('refunds')}: ${t.label(refunds)}`,
  ]
  return parts.filter(Boolean).join(', ')
}
