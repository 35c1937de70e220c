// `npm run docs` writes the types of the test kits.
import { expect, test } from 'vitest'
import { goTypes, javaTypes } from './kit-types.ts'

test('the types of the Go kit are those of the API', async () => {
  await expect(goTypes()).toMatchFileSnapshot('../../kits/go/types.go')
})

test('the types of the Java kit are those of the API', async () => {
  await expect(javaTypes()).toMatchFileSnapshot('../../kits/java/src/main/java/psp/sandbox/Types.java')
})
