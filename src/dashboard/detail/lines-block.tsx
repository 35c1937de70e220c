import { Fragment } from 'preact'
import type { Block } from '../../view-model/detail/blocks.ts'
import { TextWithTone } from '../components/badge.tsx'
import { useText } from '../text/translate.ts'

/** Lines of short texts, such as refunds, or the differences between two attempts. */
export function LinesBlock({ block: { title, lines } }: { readonly block: Extract<Block, { kind: 'lines' }> }) {
  const t = useText()
  /** Translates a label, and keeps the sign of a comparison in front of it. */
  const translated = (text: string) => text.replace(/^([-+ ] )?(.*)$/s, (_, sign = '', label) => sign + t.label(label))
  return (
    <section class="block">
      <h3>{t.label(title)}</h3>
      <ul class="lines">
        {lines.map((line, at) => (
          <li key={`${at}`}>
            {line.map((part, place) => (
              <Fragment key={`${place}`}>
                {/* Text of merchants and receivers is plain, so it is not translated. The block `Result` contains none. */}
                <TextWithTone
                  part={part.tone === 'plain' && title !== 'Result' ? part : { ...part, text: translated(part.text) }}
                />{' '}
              </Fragment>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
