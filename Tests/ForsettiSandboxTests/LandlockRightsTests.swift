import Testing

@testable import ForsettiLockdown

@Suite struct LandlockRightsTests {
  @Test(
    "each ABI handles every right it knows, and no other",
    arguments: [
      (0, 0, 0, 0), (1, 0x1fff, 0, 0), (2, 0x3fff, 0, 0), (3, 0x7fff, 0, 0), (4, 0x7fff, 3, 0),
      (5, 0xffff, 3, 0), (6, 0xffff, 3, 3), (7, 0xffff, 3, 3), (99, 0xffff, 3, 3), (-38, 0, 0, 0),
    ] as [(Int32, UInt64, UInt64, UInt64)])
  func table(abi: Int32, files: UInt64, network: UInt64, scopes: UInt64) {
    #expect(
      LandlockRights.handled(byABI: abi)
        == LandlockRights(
          files: LandlockFileRights(rawValue: files), network: LandlockNetworkRights(rawValue: network),
          scopes: LandlockScopes(rawValue: scopes)))
  }
}
