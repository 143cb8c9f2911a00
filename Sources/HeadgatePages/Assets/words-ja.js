// The pages in Japanese, by their English texts.

export const japanese = {
};
