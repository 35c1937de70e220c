// Explains why a file cannot be read or written.

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EACCES: 'permission denied (EACCES)',
  EPERM: 'permission denied (EPERM)',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links form a loop',
  EINVAL: 'the file name is not valid',
  EBUSY: 'another program uses it',
}

export function fileReason(error: unknown): string {
  const { code, message = String(error) } = (error ?? {}) as { code?: unknown; message?: string }
  return REASONS[String(code)] ?? (message.includes('null bytes') ? 'the file name is not valid' : message)
}
