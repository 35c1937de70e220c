import type { ComponentChildren } from 'preact'
import { useText } from '../text/translate.ts'

/** An empty list: what it means, and what to do next. Text in backticks is code. */
export function Empty(props: { readonly title: string; readonly text: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{props.title}</h2>
      <p class="quiet">
        <CodeText text={props.text} />
      </p>
      {props.children}
    </div>
  )
}

/** Shows text in backticks as code. Commands are shown as users of this server run them. */
export function CodeText({ text }: { readonly text: string }) {
  const { command } = useText()
  return (
    <>
      {text
        .split('`')
        .map((part, at) => (at % 2 === 1 ? <code key={`${at}`}>{part.replace(/^psp /, `${command} `)}</code> : part))}
    </>
  )
}
