public import ForsettiBlocking

// What is shared with other rooms, by the names that Runtime's API has for it.

/// A descriptor with one owner; closed when the owner lets it go.
public typealias Descriptor = ForsettiBlocking.Descriptor
/// A system call that failed: which, and with what errno.
public typealias SystemError = ForsettiBlocking.SystemError
/// A thread of its own for work that may block, as the executor of an actor.
public typealias BlockingExecutor = ForsettiBlocking.BlockingExecutor
/// Runs closures on a blocking thread.
public typealias BlockingWorker = ForsettiBlocking.BlockingWorker
/// A descriptor that somebody else made and says is a listening socket.
public typealias InheritedSocket = ForsettiBlocking.InheritedSocket
/// A socket that listens, on this host alone.
public typealias HostListener = ForsettiBlocking.HostListener
