// A view that was opened with the view token, which only permits reading.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { paletteItems } from '../../src/tui/keys/palette.ts'
import { renderFooter } from '../../src/tui/panes/footer.ts'
import { renderHeader } from '../../src/tui/panes/header.ts'
import type { State } from '../../src/tui/state/state.ts'
import { applyActions, createState, PLAIN_THEME, pressKeys, stateWithPayments } from './fixtures.ts'

const press = (state: State, ...names: readonly string[]) => applyActions(state, ...pressKeys(...names))
const readOnly = (state: State) => applyActions(state, { type: 'access', readOnly: true }).state
const pending = readOnly(stateWithPayments(2))

describe('a view with the view token', () => {
  it.each([40, 60, 80, 120, 200])('says on %i columns that it is read only', (columns) => {
    for (const rows of [12, 24]) {
      const line = renderHeader(readOnly(createState(columns, rows)), PLAIN_THEME)[0] ?? ''
      expect(stripVTControlCharacters(line)).toContain('read only')
      expect(stripVTControlCharacters(renderHeader(createState(columns, rows), PLAIN_THEME)[0] ?? '')).not.toContain(
        'only',
      )
    }
  })

  it.each(['p', 'd', 'c', 'r', 'x', 'R', 'e', 'E', 'n', 'a', 'f'])('does nothing for %s and says why', (key) => {
    for (const state of [pending, press(pending, '*').state]) {
      const pressed = press(state, key)
      expect(pressed.effects).toEqual([])
      expect(pressed.state.overlay).toBeUndefined()
      expect(pressed.state.notice?.text).toMatch(/^This view is read only, because it uses the view token\./)
    }
  })

  it('offers only keys that read, in the key line and in the palette', () => {
    const wide = readOnly(stateWithPayments(1, {}, createState(250, 30)))
    expect(renderFooter(wide, PLAIN_THEME)).not.toMatch(/pay |cancel|decline|new|advance|freeze/)
    expect(renderFooter(wide, PLAIN_THEME)).toMatch(/copy id .*filter/)
    const commands = paletteItems('', true).map(({ command }) => command)
    expect(commands).toContain('verify')
    expect(commands).not.toContain('new')
    expect(paletteItems('', false).map(({ command }) => command)).toContain('new')
  })

  it('can change data again after a restart of the server with another token', () => {
    const { state } = applyActions(pending, { type: 'access', readOnly: false }, ...pressKeys('p'))
    expect(state.overlay).toMatchObject({ kind: 'confirm' })
  })
})
