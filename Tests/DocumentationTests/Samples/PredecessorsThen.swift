// The code of the older libraries in Predecessors.md. It is never compiled: none of them builds with today's Swift.
#if canImport(Jayme)

    struct User: Identifiable {
        let id: String
        var name: String
    }

    extension User: DictionaryInitializable, DictionaryRepresentable {
        init(dictionary: [AnyHashable: Any]) throws {
            let json = JSON(dictionary)
            guard let id = json["id"].string, let name = json["name"].string else { throw JaymeError.parsingError }
            self.id = id
            self.name = name
        }

        var dictionaryValue: [AnyHashable: Any] {
            return ["id": id, "name": name]
        }
    }

    class UserRepository: Readable, Creatable, Updatable, Deletable {
        typealias EntityType = User
        let backend = URLSessionBackend()
        let name = "users"
    }

    func then3() {
        UserRepository().readAll().start { result in
            switch result {
            case .success(let users):
                self.users = users
            case .failure(let error):
                self.show(error)
            }
        }
    }

    func then4() {
        UserRepository().read(pageNumber: 3, pageSize: 20).start { result in
            guard case .success(let (users, pageInfo)) = result else { return }
            self.users = users
            self.total = pageInfo.total
        }
    }

    class PostRepository: Readable {
        typealias EntityType = Post
        let backend = URLSessionBackend()
        let name = "posts"

        func readPosts(of id: String) -> Future<[Post], JaymeError> {
            return backend.future(path: "users/\(id)/posts", method: .GET, parameters: nil)
                .andThen { self.parseDataAsArray($0.0) }
                .andThen { self.parseEntitiesFromArray($0) }
        }
    }

    extension Updatable {
        func update(_ entity: EntityType, id: EntityType.IdentifierType) -> Future<EntityType, JaymeError> {
            return backend.future(path: "\(name)/\(id)", method: .PATCH, parameters: entity.dictionaryValue)
                .andThen { DataParser().dictionary(from: $0.0) }
                .andThen { EntityParser().entity(from: $0) }
        }
    }

    extension ItemRepository {
        func readAll() -> Future<[Item], JaymeError> {
            return backend.future(path: name, method: .GET, parameters: nil)
                .andThen { DataParser().dictionary(from: $0.0) }
                .andThen { EntityParser().entities(from: $0["items"] as? [[AnyHashable: Any]] ?? []) }
        }
    }

    func then8() {
        Logger.sharedLogger.loggingFunction = { items, separator, terminator in
            log("\(items)")
        }
    }

    func then9() {
        let headers = [HTTPHeader(field: "X-App", value: "shop")]
        let configuration = URLSessionBackendConfiguration(basePath: "https://shop.example", httpHeaders: headers)
        let backend = URLSessionBackend(configuration: configuration)
    }

    func then10() {
        repository.search()
            .then { messages in
                self.repository.delete(messages[0])
            }
            .then { _ in
                self.report("deleted")
            }
            .catch { error in
                self.report("\(error)")
            }
    }

    class NoteRepository: RKCRUDDictionaryRepository {
        typealias Entity = [String: Any]
        let networking = RKNetworkingSession(url: "https://shop.example")
        let path = "notes"
        let identificationKey = "note_id"
    }

    func then12() {
        message.memoryDictionary = message.dictionary
        message.text = "ho"
        repository.patch(message).then { self.message = $0 }
    }

    func then13() {
        networking.request(.GET, path: "messages", headers: ["X-Trace": "1"]).then { (messages: [[String: Any]]) in
            self.show(messages)
        }
    }

    func then14() {
        CRUDE.configure(baseURL: "https://shop.example", headers: ["X-App": "shop"]) { method, response in
            print("CRUDE request \(method) \(response.request?.URLString)")
        }
    }

    struct Person: CRUDEMappable {
        static let path = "people"
        let id: Int
        var firstName: String
        var favoriteColor: String?

        init(_ json: JSON) {
            id = json["id"].intValue
            firstName = json["first_name"].stringValue
            favoriteColor = json["favorite_color"].string
        }

        var attributes: [String: AnyObject?] {
            return ["id": id, "first_name": firstName, "favorite_color": favoriteColor]
        }
    }

    func then16() {
        people = json["people"].array?.map { Person($0) }.sort { $0.firstName < $1.firstName } ?? []
    }

    func then17() {
        self.person.readFromServer().onSuccess { person in
            self.person = person
        }.onFailure { error in
            print(error)
        }.onComplete { _ in
            self.stopLoading()
        }
    }

    extension Paths {
        static let path = "people"
        static let readPath = "person"
        static let updatePath = "households/people"
    }

    func then19() {
        CRUDE.requestForSuccess(.POST, CRUDE.baseURL + "ping")
    }

    func then20() {
        CRUDE.headers["X-Theme"] = theme
    }

    func then21() {
        let request = CRUDERequest(urlString: CRUDE.baseURL + "export")
        request.makeRequestForJSON()
        request.pauseRequest()
        request.resumeRequest()
    }

#endif
