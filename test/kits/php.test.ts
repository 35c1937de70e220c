// The suite of the PHP kit, with the PHPUnit and Symfony of Debian.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runs } from '../e2e/clients/tools.ts'
import { KITS, needs, run } from './suite.ts'

const KIT = join(KITS, 'php')
const hasSymfony = existsSync('/usr/share/php/Symfony/Component/HttpKernel/autoload.php')

describe.skipIf(!(runs('phpunit', '--version') && hasSymfony))(
  needs('PHP', 'phpunit and php-symfony-http-kernel'),
  () => {
    test('the suite of the PHP kit passes, with the README and each example shop', async () => {
      const args = ['--bootstrap', 'src/autoload.php', '--do-not-cache-result', '--fail-on-warning', 'tests']
      expect(await run('phpunit', args, KIT)).toMatch(/^OK \(\d+ tests/m)
    })
  },
)
