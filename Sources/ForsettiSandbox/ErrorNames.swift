import Glibc

/// Symbolic names of the error numbers that plans and reports use.
public enum ErrorNames {
  /// `EPERM` and the like, or `errno N` for one that is not in the table.
  public static func name(of number: Int32) -> String {
    switch number {
    case EPERM: "EPERM"
    case ENOENT: "ENOENT"
    case ESRCH: "ESRCH"
    case EINTR: "EINTR"
    case EIO: "EIO"
    case EBADF: "EBADF"
    case EAGAIN: "EAGAIN"
    case ENOMEM: "ENOMEM"
    case EACCES: "EACCES"
    case EFAULT: "EFAULT"
    case EBUSY: "EBUSY"
    case EEXIST: "EEXIST"
    case EINVAL: "EINVAL"
    case EMFILE: "EMFILE"
    case ENOTTY: "ENOTTY"
    case ENOSYS: "ENOSYS"
    case ENOTRECOVERABLE: "ENOTRECOVERABLE"
    case EOPNOTSUPP: "EOPNOTSUPP"
    default: "errno \(number)"
    }
  }
}
