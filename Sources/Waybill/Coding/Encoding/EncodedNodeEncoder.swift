/// The encoder of one node.
struct EncodedNodeEncoder: Encoder {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    let session: EncodingSession

    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(object(keyedBy: type))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { array() }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleNodeContainer(encoder: self) }

    /// Returns the encoder of a node below this one.
    func child(_ node: EncodedNode, _ key: any CodingKey) -> EncodedNodeEncoder {
        let path = codingPath + [key]
        guard path.count <= EncodingSession.maximumDepth else {
            session.fail(session.tooDeep(codingPath))
            // The path no longer grows, and what continues below is left behind.
            return EncodedNodeEncoder(node: EncodedNode(), codingPath: codingPath, session: session)
        }
        return EncodedNodeEncoder(node: node, codingPath: path, session: session)
    }

    func object<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedNodeContainer<Key> {
        let keyType = ObjectIdentifier(type)
        guard node.becomeObject(keyType: keyType) else {
            let detached = failing("a keyed container")
            _ = detached.node.becomeObject(keyType: keyType)
            return KeyedNodeContainer(encoder: detached)
        }
        return KeyedNodeContainer(encoder: self)
    }

    func array() -> UnkeyedNodeContainer {
        guard node.becomeArray() else {
            let detached = failing("an unkeyed container")
            _ = detached.node.becomeArray()
            return UnkeyedNodeContainer(encoder: detached)
        }
        return UnkeyedNodeContainer(encoder: self)
    }

    /// Returns an encoder of a node that is discarded, after the error has been stored.
    private func failing(_ request: String) -> EncodedNodeEncoder {
        session.fail(
            .invalidValue(
                (),
                .init(
                    codingPath: codingPath,
                    debugDescription: "The value asked for \(request) after it had encoded something else."
                )
            )
        )
        return EncodedNodeEncoder(node: EncodedNode(), codingPath: codingPath, session: session)
    }
}
