import { Fragment } from 'preact'
import type { Block } from '../../view-model/detail/blocks.ts'
import { FactText } from '../components/badge.tsx'
import { useText } from '../text/translate.ts'

/** Lines of facts. */
export function LinesBlock({ block: { title, lines } }: { readonly block: Extract<Block, { kind: 'lines' }> }) {
  const t = useText()
  /** Keeps the sign of a comparison. Texts of merchants have no tone, but the result of an attempt contains none. */
  const translated = (text: string) => text.replace(/^([-+ ] )?(.*)$/s, (_, sign = '', label) => sign + t.label(label))
  return (
    <section class="block">
      <h3>{t.label(title)}</h3>
      <ul class="lines">
        {lines.map((line, at) => (
          <li key={`${at}`}>
            {line.map((fact, place) => (
              <Fragment key={`${place}`}>
                <FactText
                  fact={fact.tone === 'plain' && title !== 'Result' ? fact : { ...fact, text: translated(fact.text) }}
                />{' '}
              </Fragment>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
