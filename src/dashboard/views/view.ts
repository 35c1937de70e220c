// A view of the dashboard as data. views/index.ts lists them in the order of the navigation.
import type { ComponentType } from 'preact'
import type { IconName } from '../components/icon.tsx'
import type { MessageKey } from '../text/messages.ts'

export interface View {
  /** The name in the address: `ui/<name>`. */
  readonly name: string
  /** The letter that opens the view after `g`. */
  readonly letter: string
  readonly title: MessageKey
  readonly icon: IconName
  readonly component: ComponentType
}
