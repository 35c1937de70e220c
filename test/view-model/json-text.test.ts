import { describe, expect, it } from 'vitest'
import { compactJson, formatJson, isJson, outlineJson } from '../../src/view-model/detail/json-text.ts'

const BODY = '{"id":1.0,"big":12345678901234567890,"a":[1,{"b":[]}],"c":{"d":{"e":"\\u0417 , ]"}},"f":{}}'
const textOf = (folded: readonly number[], text = BODY) =>
  outlineJson(text, (node) => folded.includes(node))?.map(({ depth, text: line }) => ' '.repeat(depth) + line)

describe('formatted JSON', () => {
  it('keeps every number and escape, and compact JSON restores the bytes', () => {
    const formatted = formatJson(BODY)
    expect(formatted).toContain('  "id": 1.0,\n  "big": 12345678901234567890,\n')
    expect(formatted).toContain('"e": "\\u0417 , ]"')
    expect(compactJson(formatted)).toBe(BODY)
    expect(JSON.parse(formatted)).toEqual(JSON.parse(BODY))
  })

  it.each([['{"a":'], ['plain'], ['"text"'], ['5'], ['']])('leaves the text %j unchanged', (text) => {
    expect([formatJson(text), outlineJson(text, () => false)]).toEqual([text, undefined])
  })

  it.each([
    ['{}', true],
    ['5', true],
    ['{', false],
    ['', false],
  ])('knows whether %j is JSON', (text, is) => {
    expect(isJson(text)).toBe(is)
  })
})

describe('the outline of JSON', () => {
  it('has a line for each value, with readable texts and numbers as they were sent', () => {
    expect(textOf([])).toEqual([
      '{',
      ' "id": 1.0,',
      ' "big": 12345678901234567890,',
      ' "a": [',
      '  1,',
      '  {',
      '   "b": []',
      '  }',
      ' ],',
      ' "c": {',
      '  "d": {',
      '   "e": "З , ]"',
      '  }',
      ' },',
      ' "f": {}',
      '}',
    ])
  })

  it('numbers the objects and lists in the order of the text, and keeps the numbers if one is folded', () => {
    const nodes = (folded: readonly number[]) =>
      outlineJson(BODY, (node) => folded.includes(node))?.flatMap(({ node, isFolded }) =>
        node === undefined ? [] : [[node, isFolded]],
      )
    const open = [0, 1, 2, 3, 4].map((node) => [node, false])
    expect(nodes([])).toEqual(open)
    expect(nodes([1])).toEqual([
      [0, false],
      [1, true],
      [3, false],
      [4, false],
    ])
  })

  it('shows a folded object by its keys and a folded list by its length', () => {
    expect(textOf([1, 3])).toEqual([
      '{',
      ' "id": 1.0,',
      ' "big": 12345678901234567890,',
      ' "a": [ … 2 ],',
      ' "c": { d },',
      ' "f": {}',
      '}',
    ])
    expect(textOf([0])).toEqual(['{ id, big, a, c, f }'])
    expect(textOf([0], '[1,[2,3],{"a":1,"b":2}]')).toEqual(['[ … 3 ]'])
  })
})
