import ForsettiCore

/// Reads one bundle: `manifest.json`, `module`, and `module.minisig` where it is signed. Nothing else in its folder is
/// looked at. Every file must be a regular one that only root and the supervisor's own user can change.
struct BundleReader {
  static let manifestName = "manifest.json"
  static let executableName = "module"
  static let signatureName = "module.minisig"

  /// A bundle's content, checked for itself; whose it is, and whether it may run, is not asked yet.
  struct Content {
    var manifest: LoadedManifest
    var executablePath: String
    var executableSHA256: String
    /// Size of the executable.
    var executableBytes: Int
    /// The signature file's bytes; `nil` where there is none.
    var signature: [UInt8]?

    /// What a signer of this bundle signs.
    var statement: BundleStatement {
      BundleStatement(
        moduleID: manifest.manifest.moduleID, version: manifest.manifest.moduleVersion,
        manifestSHA256: manifest.sha256, executableSHA256: executableSHA256)
    }
  }

  /// The largest executable that is read.
  let executableBytes: Int

  /// Reads a bundle whole, its executable in pieces.
  /// - Parameter name: what the manifest's moduleID must be; `nil` where the folder may have any name.
  func read(_ folder: borrowing TrustedFolder, named name: String?) throws(BundleRefusal.Fault) -> Content {
    let bytes: [UInt8]
    do { bytes = try folder.read(Self.manifestName, limit: ManifestLoader.sizeLimit) } catch {
      throw .file(error)
    }
    let manifest: LoadedManifest
    do {
      manifest = try ManifestLoader.decode(
        bytes, path: folder.path(of: Self.manifestName), shownAs: Self.manifestName)
    } catch { throw .manifest(error) }
    if let name, !name.hasSameScalars(as: manifest.manifest.moduleID) {
      throw .wrongName(moduleID: manifest.manifest.moduleID)
    }
    let executable = try executable(in: folder)
    return Content(
      manifest: manifest, executablePath: folder.path(of: Self.executableName),
      executableSHA256: executable.sha256, executableBytes: executable.bytes,
      signature: try signature(in: folder))
  }

  private func executable(
    in folder: borrowing TrustedFolder
  ) throws(BundleRefusal.Fault) -> (sha256: String, bytes: Int) {
    var hash = SHA256()
    var head: [UInt8] = []
    var count = 0
    do {
      try folder.pour(Self.executableName, limit: executableBytes) { piece in
        head += piece.prefix(ExecutableImage.headBytes - head.count)
        hash.update(piece)
        count += piece.count
        return true
      }
    } catch { throw .file(error) }
    do { try ExecutableImage.check(head) } catch { throw .executable(error) }
    return (hash.hex(), count)
  }

  private func signature(in folder: borrowing TrustedFolder) throws(BundleRefusal.Fault) -> [UInt8]? {
    do { return try folder.read(Self.signatureName, limit: MinisignSignature.fileLimit) } catch {
      if error.fault == .absent { return nil }
      throw .file(error)
    }
  }
}

extension BundleRefusal.Fault: Error {}

extension BundleReader.Content {
  /// Whose bundle it is by a policy: the key that signed it, else the hash that a rule names.
  ///
  /// A signature whose key the policy trusts must hold, whatever else is pinned: one that doesn't is a bundle that
  /// somebody changed. One by a stranger says nothing for it, and nothing against a bundle that is pinned.
  func origin(by policy: Policy) throws(BundleRefusal.Fault) -> ModuleOrigin {
    let moduleID = manifest.manifest.moduleID
    let pinned = ModuleOrigin.bundle(sha256: executableSHA256, key: nil)
    let isPinned = policy.names(moduleID, origin: pinned)
    guard let signature else {
      guard isPinned else { throw .unpinned(executableSHA256: executableSHA256) }
      return pinned
    }
    guard let key = try signer(signature, among: policy.signingKeys) else {
      guard isPinned else { throw .unknownKey }
      return pinned
    }
    let signed = ModuleOrigin.bundle(sha256: executableSHA256, key: key)
    guard policy.names(moduleID, origin: signed) else { throw .unnamed(key: key) }
    return signed
  }

  /// The key among these that made the signature; `nil` where a stranger did.
  private func signer(
    _ bytes: [UInt8], among keys: [String]
  ) throws(BundleRefusal.Fault) -> String? {
    do throws(MinisignFault) {
      let signature = try MinisignSignature(bytes)
      let message = Array(statement.text.utf8)
      // Several keys may have one identifier, by chance or by malice.
      let named = keys.compactMap(MinisignKey.init).filter { $0.identifier == signature.identifier }
      var fault: MinisignFault?
      for key in named {
        do throws(MinisignFault) {
          try signature.verify(message, by: key)
          return key.text
        } catch { fault = error }
      }
      if let fault { throw fault }
      return nil
    } catch { throw .signature(reason: error.description) }
  }
}
