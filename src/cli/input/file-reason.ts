// Why a file cannot be read or written, in words.

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'this user may not (EACCES)',
  EPERM: 'this user may not (EPERM)',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead round in a circle',
  EINVAL: 'no file can be called so',
  EBUSY: 'another program holds it',
}

export function fileReason(error: unknown): string {
  const { code, message = String(error) } = (error ?? {}) as { code?: unknown; message?: string }
  return REASONS[String(code)] ?? (message.includes('null bytes') ? 'no file can be called so' : message)
}
