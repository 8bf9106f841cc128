import Testing

@testable import ForsettiModules

@Suite struct DocumentPartsTests {
  private static let cases: [([Int], [[Int]])] = [
    ([], [[]]), ([3], [[3]]), ([5, 5], [[5, 5]]), ([5, 6], [[5], [6]]), ([99], [[99]]),
    ([1, 99, 1], [[1], [99], [1]]), ([4, 4, 4, 4, 4], [[4, 4], [4, 4], [4]]),
  ]

  @Test("elements go into as few parts as hold them, in their order", arguments: cases)
  func split(elements: [Int], parts: [[Int]]) {
    #expect(DocumentParts.split(elements, limit: 10) { $0 } == parts)
  }
}
