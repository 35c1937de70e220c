// A process that tries to acquire the lock of argv[2] when the file argv[3] exists. It prints the result, and runs until
// stdin ends.
import { existsSync } from 'node:fs'
import { StoreLockedError } from '../../../src/store/errors.ts'
import { nodeFileSystem } from '../../../src/store/folder/file-system.ts'
import { acquireLock } from '../../../src/store/folder/lock.ts'

const [, , folder = '', go = ''] = process.argv
process.stdout.write('ready\n')
while (!existsSync(go)) {}
try {
  acquireLock(nodeFileSystem, folder, process.pid)
  process.stdout.write('won\n')
} catch (error) {
  process.stdout.write(error instanceof StoreLockedError ? 'lost\n' : `${error}\n`)
}
process.stdin.resume()
