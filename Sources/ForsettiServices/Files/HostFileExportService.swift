import ForsettiBlocking
public import ForsettiCore

/// File export of one module, into a folder of its own.
public actor HostFileExportService: FileExportService {
  private let executor: BlockingExecutor
  private let store: ExportStore
  private let owner: DataOwner
  private let quota: ExportQuota

  /// The exports' own thread: a call takes one hop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ store: ExportStore, for caller: ServiceCaller, quota: ExportQuota) {
    self.store = store
    executor = store.thread
    owner = DataOwner(caller, .fileExport)
    self.quota = quota
  }

  /// Writes a file and returns its path; an existing one is never overwritten.
  public func export(_ data: [UInt8], suggestedFileName: String) async throws(ServiceError) -> String {
    let name = try ExportName.name(of: suggestedFileName)
    return try await store.export(data, name: name, of: owner, quota: quota)
  }
}
