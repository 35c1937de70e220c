import { expect, it } from 'vitest'
import { CONTROL_MESSAGES } from '../../src/dashboard/text/control-messages.ts'
import { LIST_MESSAGES } from '../../src/dashboard/text/list-messages.ts'
import { MESSAGES } from '../../src/dashboard/text/messages.ts'

it('no message of a list replaces another message of the dashboard', () => {
  for (const messages of [CONTROL_MESSAGES, LIST_MESSAGES]) expect(MESSAGES).toMatchObject(messages)
})
