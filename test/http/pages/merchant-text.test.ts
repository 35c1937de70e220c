import { expect, test } from 'vitest'
import { truncate } from '../../../src/http/pages/views/text.ts'

test('text of a merchant is shown without escape sequences and marks that reverse its digits', () => {
  expect(truncate('order-\u202e1234\u202c', 60)).toBe('order-1234')
  expect(truncate('\u001b[31mred\u001b[0m \u2066x\u2069\u200b', 60)).toBe('red x')
  expect(truncate('12345', 4)).toBe('123…')
})
