import { FORCE } from '../../output/replaceable-file.ts'
import { required, toggle } from '../../parsing/flags.ts'

export const NAME = { name: required('name of the snapshot: a-z, 0-9, dot, dash, underscore') }
export const FILE = { file: required('the file; - for stdout or stdin') }
export const EXPORT_FLAGS = FORCE
export const RESET_FLAGS = { all: toggle('--all', 'also restore shops, credentials, settings and the clock') }
