// The tools that scripts/install-client-tools.sh installs.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
export const TOOLS = process.env['PSP_CLIENT_TOOLS'] ?? join(cache, 'psp-client-tools')

export const PYTHON = join(TOOLS, 'python/bin/python')
export const SCHEMATHESIS = join(TOOLS, 'python/bin/schemathesis')
export const OPENAPI_PYTHON_CLIENT = join(TOOLS, 'python/bin/openapi-python-client')
export const OAPI_CODEGEN = join(TOOLS, 'go/oapi-codegen')
export const OPENAPI_GENERATOR = join(TOOLS, 'java/openapi-generator-cli.jar')
export const JAVA_LIBRARIES = join(TOOLS, 'java/lib')

/** Whether a toolchain is installed. */
export const runs = (command: string, argument: string): boolean => spawnSync(command, [argument]).status === 0

export const hasPython = existsSync(OPENAPI_PYTHON_CLIENT)
export const hasSchemathesis = existsSync(SCHEMATHESIS)
export const hasGo = existsSync(OAPI_CODEGEN) && runs('go', 'version')
export const hasJava = existsSync(OPENAPI_GENERATOR) && existsSync(JAVA_LIBRARIES) && runs('javac', '-version')

/** Returns the requirement for the name of a suite. */
export const needs = (tool: string) => `needs ${tool}: scripts/install-client-tools.sh installs it`
