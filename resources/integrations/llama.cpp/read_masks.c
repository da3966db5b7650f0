/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the masks of frozen feed-forward neurons out of a GGUF (versions 2 and 3, little-endian machine).
 * cc -o read_masks read_masks.c && ./read_masks model.gguf
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct saturation_info {
    uint32_t num_layers;
    uint32_t *layer_ids;     /* (num_layers) ascending */
    uint32_t *neurons;       /* (num_layers) neurons of the layer */
    uint32_t *frozen_counts; /* (num_layers) */
    const uint8_t **bits;    /* (num_layers) bit i % 8 of byte i / 8: neuron i */
    uint8_t *blob;
};

static const char masks_key[] = "permafrost.masks";
enum { type_u8 = 0, type_string = 8, type_array = 9, header_bytes = 64, record_bytes = 16 };

/* 0 for types whose values differ in size */
static uint64_t size_of_type(uint32_t type) {
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return type < sizeof sizes ? sizes[type] : 0;
}

/* A file of which no more is read than it has. */
struct source {
    FILE *file;
    uint64_t left;
};

static int take(struct source *from, void *bytes, uint64_t size) {
    if (size > from->left || fread(bytes, 1, size, from->file) != size) return 0;
    from->left -= size;
    return 1;
}

static int skip(struct source *from, uint64_t size) {
    if (size > from->left || fseeko(from->file, (off_t)size, SEEK_CUR) != 0) return 0;
    from->left -= size;
    return 1;
}

static int skip_value(struct source *from, uint32_t type, int depth) {
    uint64_t size = size_of_type(type), count;
    uint32_t element;
    if (size != 0) return skip(from, size);
    if (type == type_string) return take(from, &size, 8) && skip(from, size);
    if (type != type_array || depth > 3 || !take(from, &element, 4) || !take(from, &count, 8)) return 0;
    size = size_of_type(element);
    if (size != 0) return count <= from->left / size && skip(from, count * size);
    while (count-- > 0)
        if (!skip_value(from, element, depth + 1)) return 0;
    return 1;
}

/* The array of bytes under the key; NULL when there is none or the file is damaged. */
static uint8_t *find_blob(struct source *from, uint64_t *size) {
    char magic[4], name[sizeof masks_key];
    uint32_t version, type, element;
    uint64_t tensors, keys, length;
    if (!take(from, magic, 4) || memcmp(magic, "GGUF", 4) != 0 || !take(from, &version, 4) || version < 2 || version > 3 ||
        !take(from, &tensors, 8) || !take(from, &keys, 8))
        return NULL;
    while (keys-- > 0) {
        int wanted = 0;
        if (!take(from, &length, 8)) return NULL;
        if (length == sizeof masks_key - 1) {
            if (!take(from, name, length)) return NULL;
            wanted = memcmp(name, masks_key, length) == 0;
        } else if (!skip(from, length)) {
            return NULL;
        }
        if (!take(from, &type, 4)) return NULL;
        if (wanted && type == type_array) {
            uint8_t *blob;
            if (!take(from, &element, 4) || element != type_u8 || !take(from, size, 8) || *size > from->left) return NULL;
            blob = malloc(*size + 1);
            if (blob && take(from, blob, *size)) return blob;
            free(blob);
            return NULL;
        }
        if (!skip_value(from, type, 0)) return NULL;
    }
    return NULL;
}

static uint32_t u32_at(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

void free_saturation(struct saturation_info *info) {
    free(info->layer_ids);
    free(info->neurons);
    free(info->frozen_counts);
    free((void *)info->bits);
    free(info->blob);
    memset(info, 0, sizeof *info);
}

/* Points into the blob, after checking that every mask lies in it. Its SHA-256 (bytes 32 to 63, over the blob with these zero) is left to
 * programs that have one. */
static int index_blob(struct saturation_info *info, uint64_t size) {
    uint32_t i;
    if (size < header_bytes || memcmp(info->blob, "PFMB", 4) != 0 || info->blob[4] != 1) return 0;
    info->num_layers = u32_at(info->blob + 8);
    if (info->num_layers > (size - header_bytes) / record_bytes) return 0;
    info->layer_ids = calloc(info->num_layers + 1, sizeof *info->layer_ids);
    info->neurons = calloc(info->num_layers + 1, sizeof *info->neurons);
    info->frozen_counts = calloc(info->num_layers + 1, sizeof *info->frozen_counts);
    info->bits = calloc(info->num_layers + 1, sizeof *info->bits);
    if (!info->layer_ids || !info->neurons || !info->frozen_counts || !info->bits) return 0;
    for (i = 0; i < info->num_layers; i++) {
        const uint8_t *record = info->blob + header_bytes + (size_t)record_bytes * i;
        uint32_t place = u32_at(record + 12);
        info->layer_ids[i] = u32_at(record);
        info->neurons[i] = u32_at(record + 4);
        info->frozen_counts[i] = u32_at(record + 8);
        if (place > size || ((uint64_t)info->neurons[i] + 7) / 8 > size - place) return 0;
        info->bits[i] = info->blob + place;
    }
    return 1;
}

/* 1 when the masks were read; free_saturation() afterwards. */
int load_saturation_from_gguf(const char *path, struct saturation_info *info) {
    struct source from = {fopen(path, "rb"), 0};
    uint64_t size = 0;
    int read = 0;
    memset(info, 0, sizeof *info);
    if (!from.file) return 0;
    if (fseeko(from.file, 0, SEEK_END) == 0) {
        from.left = (uint64_t)ftello(from.file);
        rewind(from.file);
        info->blob = find_blob(&from, &size);
        read = info->blob && index_blob(info, size);
    }
    fclose(from.file);
    if (!read) free_saturation(info);
    return read;
}

int is_neuron_frozen(const struct saturation_info *info, uint32_t layer, uint32_t neuron) {
    uint32_t i;
    for (i = 0; i < info->num_layers; i++)
        if (info->layer_ids[i] == layer)
            return neuron < info->neurons[i] && (info->bits[i][neuron / 8] >> (neuron % 8) & 1);
    return 0;
}

int main(int argc, char **argv) {
    struct saturation_info info;
    uint32_t i, neuron;
    if (argc != 2) {
        fprintf(stderr, "usage: read_masks MODEL.gguf\n");
        return 2;
    }
    if (!load_saturation_from_gguf(argv[1], &info)) {
        fprintf(stderr, "read_masks: %s is no GGUF with masks, or it is damaged\n", argv[1]);
        return 1;
    }
    for (i = 0; i < info.num_layers; i++) {
        printf("layer %u: %u of %u frozen:", info.layer_ids[i], info.frozen_counts[i], info.neurons[i]);
        for (neuron = 0; neuron < info.neurons[i]; neuron++)
            if (is_neuron_frozen(&info, info.layer_ids[i], neuron)) printf(" %u", neuron);
        printf("\n");
    }
    free_saturation(&info);
    return 0;
}
