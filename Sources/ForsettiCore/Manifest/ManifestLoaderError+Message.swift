extension ManifestLoaderError: CustomStringConvertible {
  /// The same as `message`.
  public var description: String { message }

  /// For people: one line for each fault, with what to do about it.
  public var message: String {
    switch self {
    case .manifestsDirectoryNotFound(let path, let why):
      "manifests folder \(path.quoted(limit: 400)): \(why.message)"
    case .duplicateModuleID(let moduleID, let files):
      "module ID \(moduleID.quoted()) is claimed by \(files.map { $0.plain() }.joined(separator: ", ")); "
        + "keep one, IDs are compared without case"
    case .validationFailed(let fault): fault.message
    case .tooManyManifests(let path, let limit):
      "manifests folder \(path.quoted(limit: 400)) holds more than \(limit) manifests; split it"
    case .untrustedFile(let path, let reason):
      "\(path.quoted(limit: 400)) is not trusted: \(reason.plain(limit: 400))"
    case .several(let errors): errors.map(\.message).joined(separator: "\n")
    }
  }
}

extension ManifestLoaderError.NotFoundReason {
  /// What is wrong with the folder, and the way out.
  public var message: String {
    switch self {
    case .absent: "there is none; create it or name another with --manifests"
    case .notAFolder: "it is no folder; name the folder that holds the manifests"
    case .nothingToLoad: "it holds no manifest (*.json); add one or name another with --manifests"
    case .unreadable(let errno): "it can't be read: \(ErrnoName.text(errno)); check its owner and mode"
    }
  }
}

extension ManifestFault: CustomStringConvertible {
  /// The same as `message`.
  public var description: String { message }

  /// `FILE:LINE:COLUMN: POINTER: REASON`, as editors and compilers name a place.
  public var message: String {
    let place = line > 0 ? "\(file.plain()):\(line):\(column)" : file.plain()
    return "\(place): " + (pointer.isEmpty ? "" : "\(pointer.plain(limit: 400)): ")
      + reason.plain(limit: 1000)
  }
}

extension ManifestWarning: CustomStringConvertible {
  /// `LINE:COLUMN: POINTER: TEXT`.
  public var description: String {
    "\(line):\(column): " + (pointer.isEmpty ? "" : "\(pointer.plain(limit: 400)): ")
      + text.plain(limit: 1000)
  }
}
